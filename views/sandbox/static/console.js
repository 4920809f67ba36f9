// Reloads the list of payments, notifications and requests every two seconds. The rest of the page is plain forms.

(() => {
  const activity = document.getElementById('activity');
  const PAUSE_MS = 2000;

  async function refresh() {
    const isBusy = document.hidden || activity.contains(document.activeElement);
    if (!isBusy) {
      const response = await fetch(activity.dataset.source);
      if (response.ok) show(await response.text());
    }
  }

  function show(html) {
    const open = [...activity.querySelectorAll('details[open]')].map(({ id }) => id);
    activity.innerHTML = html;
    for (const id of open) document.getElementById(id)?.setAttribute('open', '');
  }

  function poll() {
    refresh()
      .catch(() => undefined)
      .finally(() => setTimeout(poll, PAUSE_MS));
  }
  setTimeout(poll, PAUSE_MS);
})();
