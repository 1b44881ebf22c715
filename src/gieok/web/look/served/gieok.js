/* A server that was started again knows no visit any more, and turns sockets away: the way on is the page for keys. */
(function watch() {
  if (!window.socket) return setTimeout(watch, 200);
  window.socket.io.on("reconnect_error", async () => {
    const answer = await fetch("/favicon.ico", { cache: "no-store" }).catch(() => null);
    if (answer && answer.status === 401) window.location.reload();
  });
})();

/* The field of the talk: its text is taken in the browser, so that nothing typed right after is lost. */
function takeText(emit) {
  const field = document.getElementById("t-input");
  const text = field.value;
  if (field.dataset.busy || !text.trim()) return;
  field.value = "";
  field.focus();
  emit(text);
}

function takeOnEnter(event, emit) {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229) return;
  event.preventDefault();
  takeText(emit);
}
