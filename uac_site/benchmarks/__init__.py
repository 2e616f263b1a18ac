"""The benchmarks: what the project promises, measured through its own processes.

`manage.py benchmark NAME` makes a scratch database and starts `python -m uac_site.benchmarks NAME`
on it; that process starts the web process and the worker, measures, and says what it found.
"""
