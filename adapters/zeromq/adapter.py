"""The adapter type ``zeromq``: which kind of peer a case describes."""

from __future__ import annotations

from adapters.zeromq.advance import AdvancePeer, RestorableAdvancePeer
from adapters.zeromq.base import PeerAdapter
from adapters.zeromq.evaluate import EvaluatePeer
from adapters.zeromq.options import ZeroMQOptions
from cosim.model.base import Strict
from cosim.multibody.interface import MultibodyModel

__all__ = ["AdvancePeer", "EvaluatePeer", "RestorableAdvancePeer", "ZeroMQAdapter"]


class ZeroMQAdapter(PeerAdapter):
    """Another program, in any language, as part of the equations."""

    @classmethod
    def create(cls, model: MultibodyModel, name: str, options: Strict) -> PeerAdapter:
        """Adapter of the kind that the options describe.

        Returns
        -------
        EvaluatePeer, AdvancePeer or RestorableAdvancePeer
        """
        assert isinstance(options, ZeroMQOptions)
        if options.mode == "evaluate":
            return EvaluatePeer(model, name, options)
        if options.restorable:
            return RestorableAdvancePeer(model, name, options)
        return AdvancePeer(model, name, options)
