// Starts Swagger UI on the page /docs. It calls no other host: the validator of swagger.io is off. The page of a developer's own
// machine has the key; one that is typed in is kept nowhere.

(() => {
  const viewer = document.getElementById('viewer');
  const isDark = window.matchMedia('(prefers-color-scheme: dark)');
  const followColours = () => document.documentElement.classList.toggle('dark-mode', isDark.matches);
  followColours();
  isDark.addEventListener('change', followColours);

  const openError = () => document.getElementById(location.hash.slice(1))?.setAttribute('open', '');
  openError();
  window.addEventListener('hashchange', openError);

  const { apiKey } = viewer.dataset;
  const viewerUi = window.SwaggerUIBundle({
    url: viewer.dataset.document,
    domNode: viewer,
    validatorUrl: null,
    supportedSubmitMethods: viewer.dataset.canTry === 'true' ? ['get', 'post'] : [],
    persistAuthorization: false,
    // An address of an error code is not one of the viewer's own.
    deepLinking: !location.hash.startsWith('#error-'),
    filter: true,
    // A person opens one group of routes at a time: with all of them, the page is thirteen screens of a phone long.
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    onComplete: () => {
      if (apiKey) viewerUi.preauthorizeApiKey('apiKey', apiKey);
      // The viewer has pushed the error codes down.
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    },
  });
})();
