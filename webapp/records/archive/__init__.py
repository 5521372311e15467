"""Plies of finished experiments as Parquet files of the data folder, and whoever reads plies, wherever they are."""
