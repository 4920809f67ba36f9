// Starts Swagger UI on the page /docs. It calls no other host: the validator of swagger.io is off. A key that is typed in is
// kept nowhere.

(() => {
  const viewer = document.getElementById('viewer');
  const isDark = window.matchMedia('(prefers-color-scheme: dark)');
  const followColours = () => document.documentElement.classList.toggle('dark-mode', isDark.matches);
  followColours();
  isDark.addEventListener('change', followColours);

  window.SwaggerUIBundle({
    url: viewer.dataset.document,
    domNode: viewer,
    validatorUrl: null,
    supportedSubmitMethods: viewer.dataset.canTry === 'true' ? ['get', 'post'] : [],
    persistAuthorization: false,
    // An address of an error code is not one of the viewer's own.
    deepLinking: !location.hash.startsWith('#error-'),
    filter: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    // The viewer has pushed the error codes down.
    onComplete: () => document.getElementById(location.hash.slice(1))?.scrollIntoView(),
  });
})();
