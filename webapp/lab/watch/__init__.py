"""What whoever runs the lab must know: its condition, alarms when that changes, numbers for Prometheus."""
