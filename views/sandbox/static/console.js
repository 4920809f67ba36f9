// Reads the stream again every two seconds, not while the page is hidden or something in it has the focus, and says so where
// that fails. The rest of the page is plain forms and links.

(() => {
  const activity = document.getElementById('activity');
  const stale = document.getElementById('stale');
  const PAUSE_MS = 2000;
  let shown = '';

  async function refresh() {
    const isBusy = document.hidden || activity.contains(document.activeElement);
    if (isBusy) return;
    const response = await fetch(activity.dataset.source);
    if (!response.ok) throw new Error(String(response.status));
    stale.hidden = true;
    show(await response.text());
  }

  function show(html) {
    if (html === shown) return;
    shown = html;
    const open = [...activity.querySelectorAll('details[open]')].map(({ id }) => id);
    activity.innerHTML = html;
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  }

  function poll() {
    refresh()
      .catch(() => {
        stale.hidden = false;
      })
      .finally(() => setTimeout(poll, PAUSE_MS));
  }
  // The page of a single entry shows what is over.
  if (activity.dataset.source) setTimeout(poll, PAUSE_MS);
})();
