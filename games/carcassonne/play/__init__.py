"""What people who play Carcassonne are asked, told and shown beside the board; holds no rule."""
