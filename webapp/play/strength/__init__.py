"""How strong the engines are: levels, matches, probes and regret, from files that ship with the project."""
