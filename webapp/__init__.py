"""The web application: who asks, who may see, what is kept, how it looks."""
