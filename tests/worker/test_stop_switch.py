from __future__ import annotations

import ctypes
import signal
import time

import pytest

from worker import stop_switch
from worker.stop_switch import StopAskedError, StopSwitch


def test_a_signal_outside_a_match_only_leaves_a_note() -> None:
    stop = StopSwitch()
    stop.ask()
    assert stop.is_asked
    with pytest.raises(StopAskedError), stop.interruptible():
        stop.ask()


def test_an_engine_cannot_swallow_a_stop() -> None:
    assert not issubclass(StopAskedError, Exception)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_stop_that_compiled_code_swallows_is_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stop_switch, "AGAIN_S", 0.05)
    stop = StopSwitch()
    before = signal.signal(signal.SIGALRM, signal.SIG_DFL)
    callback = ctypes.CFUNCTYPE(None)(stop.ask)  # what it raises is printed and forgotten

    def load_a_kernel_and_think() -> None:
        callback()
        time.sleep(20)
        pytest.fail("the stop was lost")

    try:
        with pytest.raises(StopAskedError), stop.interruptible():
            load_a_kernel_and_think()
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("is_stopped", [False, True])
def test_a_slow_look_is_disturbed_by_nothing(monkeypatch: pytest.MonkeyPatch, is_stopped: bool) -> None:
    monkeypatch.setattr(stop_switch, "AGAIN_S", 0.01)
    stop, looks = StopSwitch(), []

    def look() -> None:
        looks.append("begun")
        if is_stopped:
            stop.ask()
        time.sleep(0.1)  # alarms come meanwhile
        looks.append("ended")
        if not is_stopped:
            raise ZeroDivisionError

    error = StopAskedError if is_stopped else ZeroDivisionError
    with pytest.raises(error), stop.watching(look), stop.interruptible():
        time.sleep(20)
    assert looks == ["begun", "ended"]
