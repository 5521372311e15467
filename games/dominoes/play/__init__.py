"""What people at the board are asked, told and shown in a dominoes match."""
