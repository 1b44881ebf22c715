/* A server that was started again knows no visit any more, and turns sockets away: the way on is the page for keys. */
(function watch() {
  if (!window.socket) return setTimeout(watch, 200);
  window.socket.io.on("reconnect_error", async () => {
    const answer = await fetch("/favicon.ico", { cache: "no-store" }).catch(() => null);
    if (answer && answer.status === 401) window.location.reload();
  });
})();
