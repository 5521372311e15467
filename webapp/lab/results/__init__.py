"""What came out: tables, charts and exports of an experiment."""
