// Gives the result of the payment window to the page over which it was opened, and to no other origin.
(function () {
  'use strict';

  const { result, origin } = document.getElementById('result').dataset;
  window.parent.postMessage(JSON.parse(result), origin);
})();
