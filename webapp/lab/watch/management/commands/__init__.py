"""`alarm`, `report`."""
