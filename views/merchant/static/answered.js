// A page that answers a posted form takes the address of the page that it stands for: a reload then asks for that one, and
// nothing is sent again.
window.history.replaceState(null, '', document.currentScript.dataset.address);
