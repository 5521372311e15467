"""Files of frozen snapshots, which never change, and their pages, each at an address named by its checksum."""
