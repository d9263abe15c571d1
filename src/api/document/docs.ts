import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { readCookie, readTheme, type Theme } from '../../http/cookies.ts';

/** Found without importing the package, because its entry point loads the whole user interface into this process. */
const ASSETS = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));

/** @param theme as chosen in our own pages */
const writePage = (theme: Theme) => `<!doctype html>
<html lang="en" data-theme="${theme}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="${theme === 'auto' ? 'light dark' : theme}">
    <title>Pixelgate API</title>
    <link rel="stylesheet" href="/api/docs/assets/swagger-ui.css">
    <link rel="icon" href="/api/docs/assets/favicon-32x32.png">
  </head>
  <body>
    <nav class="swagger-ui" aria-label="Pixelgate"><p class="wrapper"><a href="/">Back to Pixelgate</a></p></nav>
    <div id="api"></div>
    <noscript>This page needs JavaScript. The OpenAPI document is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
    <script src="/api/docs/assets/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`;

/** Served as a separate file, because the content security policy does not allow inline scripts. */
const START = `const { classList, dataset } = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const follow = () => classList.toggle('dark-mode', dataset.theme === 'dark' || (dataset.theme === 'auto' && system.matches));
system.addEventListener('change', follow);
follow();
window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  displayRequestDuration: true,
  persistAuthorization: true,
  validatorUrl: null,
});
`;

const SERVED = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** GET /api/docs: shows the OpenAPI document with Swagger UI, whose files this service serves itself. */
export function docsRouter(): Router {
  const router = Router();
  router.get('/', (req, res) => {
    const theme = readTheme(readCookie(req, 'theme'));
    res.set('Cache-Control', 'no-cache').type('html').send(writePage(theme));
  });
  router.get('/start.js', (_req, res) => {
    res.set('Cache-Control', 'no-cache').type('js').send(START);
  });
  for (const file of SERVED) {
    router.get(`/assets/${file}`, (_req, res) => {
      res.sendFile(file, { root: ASSETS, maxAge: '1h' });
    });
  }
  return router;
}
