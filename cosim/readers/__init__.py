"""Multibody systems as other programs write them, read into descriptions of ours.

:mod:`~cosim.readers.chrono_yaml` reads the YAML dialect of Project Chrono, which SEA-Stack
and M4E share, and :mod:`~cosim.readers.m4e` the lists of M4E (Python Multibody for
Everybody). Either returns a :class:`~cosim.readers.reading.Reading`: the description, from
which a :class:`~cosim.model.system.System`, a case or a case file is made. What has no
counterpart here is refused by its name; nothing is dropped in silence but pictures.
"""

from cosim.readers.chrono_yaml import read_chrono_yaml
from cosim.readers.m4e import read_m4e_lists
from cosim.readers.reading import Reading

__all__ = ["Reading", "read_chrono_yaml", "read_m4e_lists"]
