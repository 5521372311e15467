"""Tells people that their jobs are over: in a list, in the browser, by mail. Webhooks: `lab/jobs/endings`."""
