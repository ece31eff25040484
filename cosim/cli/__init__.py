"""The command line.

Exit codes: 0 done; 1 an error of this program; 2 the case, the model or a database is
wrong; 3 no equilibrium, or a coupling scheme that would be unstable; 4 the run could not
go on; 5 an adapter failed; 130 interrupted; 143 terminated.
"""
