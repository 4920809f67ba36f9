// A page that refreshes itself by its header leads to the next one a second earlier, in the place of this one in the history:
// Back then leads to the page before, and not to an older refresh of this one.
{
  const [, seconds, address] = /^(\d+); url=(.+)$/.exec(document.currentScript.dataset.refresh);
  setTimeout(() => window.location.replace(address), (Number(seconds) - 1) * 1000);
}
