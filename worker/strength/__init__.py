"""How strong the engines are: measurements that ship with the project, a module for each game."""
