import type { Connection, ManifestForm } from '../github/set-up-app.ts';
import { assertNever } from '../errors.ts';
import { escapeHtml } from './html.ts';

/** The page around `content`, which is HTML. Plain: it must stand before anything else is set up, without a script. */
function pageOf(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)} – Pixelgate</title>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(title)}</h1>
${content}
    </main>
  </body>
</html>
`;
}

const paragraph = (html: string) => `      <p>${html}</p>`;

/** GitHub posts to us: an address that only this machine knows gets no webhooks. */
function warnOfLoopback(publicUrl: string): string[] {
  const { hostname } = new URL(publicUrl);
  if (!/^(localhost|127\.|\[::1\])/.test(hostname)) return [];
  const address = `<code>${escapeHtml(publicUrl)}</code>`;
  return [
    paragraph(
      `<strong>GitHub must be able to reach this service.</strong> Its address is ${address} now; set <code>PUBLIC_URL</code> to one that GitHub can call before you go on.`,
    ),
  ];
}

function formOf({ action, manifest }: ManifestForm, organization: string | null): string {
  const whose = organization === null ? 'your own account' : escapeHtml(organization);
  return `      <form method="get" action="/setup">
        <label>Organisation, empty for your own account
          <input name="organization" value="${escapeHtml(organization ?? '')}" maxlength="39" autocomplete="off">
        </label>
        <button>Choose</button>
      </form>
      <form method="post" action="${escapeHtml(action)}">
        <input type="hidden" name="manifest" value="${escapeHtml(manifest)}">
        <button>Create the GitHub App for ${whose}</button>
      </form>`;
}

/** The page that offers to create the App. */
export function connectPage(
  connection: Connection & { kind: 'none' | 'lost' },
  form: ManifestForm,
  organization: string | null,
  publicUrl: string,
): string {
  const lost =
    connection.kind === 'none'
      ? []
      : [
          paragraph(
            `The App “${escapeHtml(connection.name)}” was connected, but its credentials were sealed with another <code>JWT_SECRET</code> and cannot be read. Restore that secret, or delete the App on GitHub and create it anew.`,
          ),
        ];
  const steps =
    'GitHub shows the App and what it may do, creates it, and sends you back here; its credentials are stored encrypted. Then install it on the repositories that you want to check.';
  return pageOf(
    'Connect GitHub',
    [...lost, ...warnOfLoopback(publicUrl), paragraph(steps), formOf(form, organization)].join('\n'),
  );
}

/** The page once GitHub is connected. */
export function connectedPage(connection: Connection & { kind: 'environment' | 'stored' }): string {
  switch (connection.kind) {
    case 'environment':
      return pageOf(
        'GitHub is connected',
        paragraph(`The App ${escapeHtml(connection.appId)} is configured in the environment of this service.`),
      );
    case 'stored': {
      const { name, htmlUrl, installUrl } = connection;
      const app = `<a href="${escapeHtml(htmlUrl)}">${escapeHtml(name)}</a>`;
      const install = `<a href="${escapeHtml(installUrl)}">Install it on your repositories</a>`;
      return pageOf('GitHub is connected', paragraph(`The App is ${app}. ${install}.`));
    }
    default:
      return assertNever(connection);
  }
}

export function problemPage(message: string): string {
  const again = paragraph('<a href="/setup">Back to the set-up</a>');
  return pageOf('Connect GitHub', [paragraph(escapeHtml(message)), again].join('\n'));
}
