import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { json } from '../../src/db/json.ts';
import { DEFAULT_CONFIG, SUITE_CONFIG } from '../../src/suites/config/suite-config.ts';
import type { SuiteForViewer } from '../../src/suites/suite.ts';
import { startTestApi, type Account, type Answer, type TestApi } from '../support/api-client.ts';
import { postForm, unescapeHtml } from '../support/web-form.ts';
import { ledTo, peopleOf, sharedSuite, type People } from './suites-fixture.ts';

let api: TestApi;
let people: People;
let suite: SuiteForViewer;
let path: string;
beforeAll(async () => {
  api = await startTestApi();
  people = await peopleOf(api);
});
beforeEach(async () => {
  await api.ctx.db('test_suites').delete();
  suite = await sharedSuite(api, people);
  path = `/suites/${suite.id}`;
});
afterAll(() => api.stop());

const open = async (part: string, { token }: Account = people.owner) => api.request('GET', path + part, { token });
const post = async (part: string, fields: Record<string, string | string[]>, as: Account = people.owner) =>
  postForm(api, path + part, fields, as);
const read = async () => (await api.request('GET', `/api/test-suites/${suite.id}`, { token: people.owner.token })).body;

/** The fields of the form on the page, as a browser would send them. */
function fieldsIn({ body }: Answer): Record<string, string> {
  const form = String(body).split('id="suite-settings"')[1]?.split('</form>')[0] ?? '';
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const [, name = ''] = /name="([^"]*)"/.exec(tag) ?? [];
    const [, value = ''] = / value="([^"]*)"/.exec(tag) ?? [];
    if (name !== '' && (!tag.includes('checkbox') || tag.includes(' checked'))) fields[name] = unescapeHtml(value);
  }
  for (const [, name = '', options = ''] of form.matchAll(/<select[^>]*name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g)) {
    fields[name] = /value="([^"]*)" selected/.exec(options)?.[1] ?? '';
  }
  for (const [, name = '', value = ''] of form.matchAll(
    /<textarea[^>]*name="([^"]*)"[^>]*>\n([\s\S]*?)<\/textarea>/g,
  )) {
    fields[name] = unescapeHtml(value);
  }
  return fields;
}

describe('the settings of a suite', () => {
  it('come back as they were when they are saved unchanged', async () => {
    const before = await read();
    expect(before.config).toEqual(DEFAULT_CONFIG);
    const fields = fieldsIn(await open('/settings'));
    const settings = SUITE_CONFIG.settings('config', DEFAULT_CONFIG);
    const shown = settings.filter(({ control, value }) => control.kind !== 'editor' && value !== false);
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(['name', 'baseUrl', ...shown.map((each) => each.path)]));
    expect(fields).toMatchObject({ 'config.viewports.1.name': 'mobile', 'config.viewports.2.name': '' });
    expect(ledTo(await post('/settings', fields))).toBe(`303 ${path}/settings`);
    const { updatedAt: _now, ...after } = await read();
    expect(before).toMatchObject(after);
    // A value that equals the default is not stored, so it follows changes of the default.
    const [row] = await api.ctx.db('test_suites').select('config');
    expect(Object.values(row.config).filter((value) => value !== null)).toEqual([
      { network: null, quiet: null, timeout: null },
      { followSitemap: null, respectRobots: null, timeout: null, userAgent: null },
    ]);
  });

  it('show what the repository sets locked, with its line, and leave it when the rest is saved', async () => {
    const url = 'http://github.test/acme/site/blob/main/.github/pixelgate.yml';
    const lines = { threshold: 2, viewports: 3, rules: 9, 'crawlOptions.timeout': 12 };
    const file = {
      blobSha: 'a',
      lines,
      branch: 'main',
      url,
      problem: 'line 4: <wrong>',
      readAt: '2026-01-01T00:00:00Z',
    };
    await api.ctx.db('test_suites').update({
      config: json({ threshold: 0.25, rules: [{ paths: ['/'], hide: ['.ad'] }], crawlOptions: { timeout: 5000 } }),
      config_file: json(file),
    });
    const shown = await open('/settings');
    expect(shown.body).toContain(`<a href="${url}#L2">Set in .github/pixelgate.yml, line 2</a>`);
    expect(shown.body.match(/<fieldset class="setting-locked" disabled>/g)).toHaveLength(4);
    expect(shown.body).toContain('line 4: &lt;wrong&gt;');
    // A browser sends no control of a fieldset that is disabled.
    const sent = Object.entries(fieldsIn(shown)).filter(([name]) => !/threshold|viewports|rules|timeout/.test(name));
    expect(ledTo(await post('/settings', { ...Object.fromEntries(sent), 'config.maxPages': '7' }))).toBe(
      `303 ${path}/settings`,
    );
    const { config, configFile } = await read();
    expect(config).toMatchObject({ maxPages: 7, threshold: 0.25, crawlOptions: { timeout: 5000 } });
    expect(config.rules).toHaveLength(1);
    expect(configFile.settings[0]).toEqual({ path: 'config.threshold', line: 2, url: `${url}#L2` });
    const refused = await api.request('PATCH', `/api/test-suites/${suite.id}`, {
      token: people.owner.token,
      body: { config: { threshold: 1, maxPages: 8 } },
    });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        error: 'threshold (line 2) is set by .github/pixelgate.yml on main. Change it there.',
        details: { code: 'set_by_config_file', url, settings: [{ path: 'config.threshold', line: 2 }] },
      },
    });
    expect((await read()).config.maxPages).toBe(7);
  });

  describe('that the repository sets', () => {
    const lines = { threshold: 2, viewports: 3 };
    const file = { blobSha: 'a', lines, branch: 'main', url: 'http://github.test/a', problem: null, readAt: '' };
    const viewports = [{ name: 'wide', width: 1600, height: 900 }];
    beforeEach(async () => {
      await api.ctx.db('test_suites').update({ config: json({ threshold: 0.25, viewports }), config_file: json(file) });
    });
    /** A browser sends no control of a fieldset that is disabled. */
    const send = (shown: Answer, fields: Record<string, string>) => {
      const sent = Object.entries(fieldsIn(shown)).filter(([name]) => !/config.*(threshold|viewports)/.test(name));
      return { ...Object.fromEntries(sent), ...fields };
    };

    it('stay when they are saved from a page that showed them locked', async () => {
      const shown = await open('/settings');
      await api.ctx.db('test_suites').update({ config_file: null });
      const refused = await post('/settings', send(shown, { 'config.maxPages': '-1' }));
      expect([refused.status, fieldsIn(refused)['config.threshold']]).toEqual([400, '0.25']);
      expect((await post('/settings', send(shown, { 'config.maxPages': '7' }))).status).toBe(303);
      expect((await read()).config).toMatchObject({ maxPages: 7, threshold: 0.25, viewports });
    });

    it('apply when a page is tried with others', async () => {
      const place = { trialPath: '/', trialViewport: 'wide', 'config.waitTime': '7' };
      expect((await post('/settings/try', send(await open('/settings'), place))).status).toBe(303);
      const [trial] = await api.ctx.db('page_trials').select('config');
      expect(trial.config).toMatchObject({ waitTime: 7, threshold: 0.25, viewports });
    });
  });

  it('are changed, every field, by an editor', async () => {
    const answer = await post(
      '/settings',
      {
        name: ' Handbook ',
        baseUrl: 'http://other.test/start',
        description: 'The handbook',
        'config.maxPages': '7',
        'config.maxDepth': '0',
        'config.recrawlInterval': 'weekly',
        'config.crawlOptions.timeout': '1000',
        'config.crawlOptions.userAgent': 'Robot/2',
        'config.crawlOptions.respectRobots': 'on',
        'config.waitStrategy': 'networkidle',
        'config.waitTime': '60000',
        'config.customCss': '.ad {\r\n  display: none\r\n}',
        'config.threshold': '0.25',
        'config.failureThreshold': '1.5',
        'config.screenshotConcurrency': '16',
        'config.comparisonConcurrency': '1',
        'config.viewports.0.name': 'wide',
        'config.viewports.0.width': '2560',
        'config.viewports.0.height': '1440',
      },
      people.editor,
    );
    expect(ledTo(answer)).toBe(`303 ${path}/settings`);
    expect(await read()).toMatchObject({
      name: 'Handbook',
      baseUrl: 'http://other.test/start',
      description: 'The handbook',
      config: {
        maxPages: 7,
        maxDepth: 0,
        recrawlInterval: 'weekly',
        viewports: [{ name: 'wide', width: 2560, height: 1440 }],
        waitStrategy: 'networkidle',
        waitTime: 60_000,
        fullPage: false,
        customCss: '.ad {\n  display: none\n}',
        threshold: 0.25,
        failureThreshold: 1.5,
        screenshotConcurrency: 16,
        comparisonConcurrency: 1,
        crawlOptions: { followSitemap: false, respectRobots: true, userAgent: 'Robot/2', timeout: 1000 },
      },
    });
  });

  it('are parts of one page, of which the first with a problem is shown', async () => {
    const page = String((await open('/settings')).body);
    const groups = (body: unknown) =>
      String(body)
        .split(/<div class="settings-tab(?!bed)/)
        .slice(1)
        .map((part) => ({
          name: /data-group="([a-z]+)"/.exec(part)?.[1],
          isFirst: part.startsWith(' settings-first'),
          sections: [...part.matchAll(/<section(?: class="settings-group")? id="([a-z-]+)"/g)].map(([, id]) => id),
        }));
    expect(groups(page)).toEqual([
      { name: 'site', isFirst: true, sections: ['about', 'crawl', 'keep', 'storage'] },
      { name: 'capture', isFirst: false, sections: ['viewports', 'capture', 'emulation', 'pace'] },
      { name: 'compare', isFirst: false, sections: ['compare', 'rules', 'ignored'] },
      { name: 'pulls', isFirst: false, sections: ['gate', 'repository'] },
      { name: 'access', isFirst: false, sections: ['badge', 'access', 'site-access', 'tokens', 'notices', 'audit'] },
      { name: 'site', isFirst: true, sections: ['danger'] },
    ]);
    const [nav = ''] = page.slice(page.indexOf('class="settings-nav"')).split('</nav>');
    expect([...nav.matchAll(/href="#([a-z]+)"/g)].map(([, id]) => id)).toEqual([
      'about',
      'viewports',
      'compare',
      'gate',
      'access',
    ]);
    const refused = await post('/settings', { ...fieldsIn(await open('/settings')), 'config.threshold': '99' });
    expect(groups(refused.body).filter(({ isFirst }) => isFirst)).toMatchObject([{ name: 'compare' }]);
  });

  it('are refused where somebody has saved since, with both values, and taken when they are saved again', async () => {
    const fields = fieldsIn(await open('/settings'));
    const theirs = { ...fields, name: 'Theirs', 'config.maxPages': '77', 'config.maxDepth': '4' };
    await post('/settings', theirs, people.admin);
    const refused = await post('/settings', { ...fields, name: 'Mine', 'config.maxPages': '88' });
    expect(refused.status).toBe(409);
    expect(refused.body).toContain('<li>Name: saved Theirs, yours Mine</li>');
    expect(refused.body).toContain('<li>Maximum pages: saved 77, yours 88</li>');
    expect(refused.body).toContain('<li>Maximum crawl depth: saved 4, yours 5</li>');
    expect(refused.body).toContain('Saved is 77. Save again to use your value.');
    const again = fieldsIn(refused);
    expect(again).toMatchObject({ name: 'Mine', 'config.maxPages': '88' });
    expect(await read()).toMatchObject({ name: 'Theirs', config: { maxPages: 77, maxDepth: 4 } });
    expect(ledTo(await post('/settings', { ...again, 'config.maxDepth': '4' }))).toBe(`303 ${path}/settings`);
    expect(await read()).toMatchObject({ name: 'Mine', config: { maxPages: 88, maxDepth: 4 } });
  });

  it('are refused once more where somebody has saved again in between, and keep what was typed', async () => {
    const fields = fieldsIn(await open('/settings'));
    await post('/settings', { ...fields, name: 'First' }, people.admin);
    const again = fieldsIn(await post('/settings', { ...fields, description: 'Mine' }));
    await post('/settings', { ...fieldsIn(await open('/settings')), name: 'Second' }, people.admin);
    const refused = await post('/settings', again);
    expect([refused.status, fieldsIn(refused)['description']]).toEqual([409, 'Mine']);
    expect(refused.body).toContain('<li>Name: saved Second, yours');
  });

  it('are saved twice by a form that is sent twice', async () => {
    const fields = { ...fieldsIn(await open('/settings')), name: 'Mine' };
    expect(ledTo(await post('/settings', fields))).toBe(`303 ${path}/settings`);
    expect(ledTo(await post('/settings', fields))).toBe(`303 ${path}/settings`);
  });

  it('are compared by the API with the version that the caller has seen', async () => {
    const patch = async (body: object) =>
      api.request('PATCH', `/api/test-suites/${suite.id}`, { token: people.editor.token, body });
    const { settingsVersion } = await read();
    expect((await patch({ settingsVersion, config: { maxPages: 60 } })).status).toBe(200);
    const refused = await patch({ settingsVersion, name: 'Mine', config: { maxPages: 70 } });
    expect([refused.status, refused.body.details]).toMatchObject([
      409,
      {
        code: 'changed_meanwhile',
        settings: [
          { path: 'name', wanted: 'Mine' },
          { path: 'config.maxPages', now: 60, wanted: 70 },
        ],
      },
    ]);
    const seen = refused.body.details.settingsVersion;
    const saved = await patch({ settingsVersion: seen, name: 'Mine', config: { maxPages: 70 } });
    expect(saved.body).toMatchObject({ name: 'Mine', config: { maxPages: 70 } });
    expect(saved.body.settingsVersion).toBe((await read()).settingsVersion);
    expect(saved.body.settingsVersion).not.toBe(seen);
  });

  it('name the preview of the suite, and tell which of its fields is wrong', async () => {
    const fields = fieldsIn(await open('/settings'));
    const named = {
      'config.preview.environment': 'Preview – docs\r\n!*app',
      'config.preview.url': 'https://pr-{number}.test',
    };
    expect(ledTo(await post('/settings', { ...fields, ...named }))).toBe(`303 ${path}/settings`);
    const preview = {
      environment: ['Preview – docs', '!*app'],
      context: [],
      check: [],
      url: 'https://pr-{number}.test',
    };
    expect((await read()).config.preview).toEqual(preview);
    expect(fieldsIn(await open('/settings'))).toMatchObject({
      'config.preview.environment': 'Preview – docs\n!*app',
      'config.preview.url': 'https://pr-{number}.test',
    });
    const { status, body } = await post('/settings', { ...fields, 'config.preview.url': 'https://{pr}.test' });
    expect([status, (await read()).config.preview]).toEqual([400, preview]);
    expect(body).toContain('id="field-config-preview-url-error"');
    expect(body).toContain('Uses {pr}, but only {number}, {branch} and {sha} are supported');
    const emptied = { ...fields, version: fieldsIn(await open('/settings'))['version'] ?? '' };
    await post('/settings', emptied);
    expect((await read()).config.preview).toBeNull();
  });

  it('go back to their defaults where they are left empty', async () => {
    await post('/settings', { name: 'Docs', baseUrl: 'http://site.test', 'config.maxPages': '7' });
    await post('/settings', {
      name: 'Docs',
      baseUrl: 'http://site.test',
      'config.maxPages': '',
      'config.fullPage': 'on',
    });
    expect((await read()).config).toMatchObject({
      maxPages: 100,
      fullPage: true,
      viewports: DEFAULT_CONFIG.viewports,
      crawlOptions: { userAgent: DEFAULT_CONFIG.crawlOptions.userAgent, followSitemap: false },
    });
  });

  it('are refused at their fields, with all that was typed', async () => {
    const fields = { ...fieldsIn(await open('/settings')), name: '', 'config.waitTime': 'soon' };
    const { status, body } = await post('/settings', {
      ...fields,
      'config.threshold': '1.01',
      'config.crawlOptions.timeout': '5',
      'config.customCss': '.kept {}',
    });
    expect(status).toBe(400);
    expect(body).toContain('id="field-name-error"');
    expect(body).toContain('Must be a whole number from 0 to 60,000');
    expect(body).toContain('Must be a number from 0 to 1');
    expect(body).toContain('id="field-config-crawlOptions-timeout-error"');
    expect(body).toContain('.kept {}');
    expect((await read()).config).toEqual(DEFAULT_CONFIG);
  });

  it('take away a viewport, and tell what is wrong with another in the row where it stands then', async () => {
    const { status, body } = await post('/settings', {
      name: 'Docs',
      baseUrl: 'http://site.test',
      'config.viewports.0.name': 'gone',
      'config.viewports.0.width': '800',
      'config.viewports.0.height': '600',
      'config.viewports.0.remove': 'on',
      'config.viewports.2.name': 'narrow',
      'config.viewports.2.width': '99',
      'config.viewports.2.height': '',
    });
    expect(status).toBe(400);
    expect(body).not.toContain('value="gone"');
    expect(body).toContain('name="config.viewports.0.name" type="text" value="narrow"');
    expect(body).toContain('id="field-config-viewports-0-width-error"');
    expect(body).toContain('id="field-config-viewports-0-height-error"');
    expect(body).toContain('Must be a whole number from 100 to 4,096');
  });

  it('have what else a viewport is, folded, and presets', async () => {
    const fields = fieldsIn(await open('/settings'));
    const phone = { 'config.viewports.1.deviceScaleFactor': '2', 'config.viewports.1.userAgent': 'Phone/1' };
    const answer = await post('/settings', { ...fields, ...phone, 'config.viewports.preset': 'mobile-dark' });
    expect(ledTo(answer)).toBe(`303 ${path}/settings`);
    const screen = { deviceScaleFactor: 1, colorScheme: null, touch: false, userAgent: null };
    expect((await read()).config.viewports).toEqual([
      { name: 'desktop', width: 1280, height: 800, ...screen },
      { name: 'mobile', width: 375, height: 812, ...screen, deviceScaleFactor: 2, userAgent: 'Phone/1' },
      { name: 'mobile-dark', width: 375, height: 812, ...screen, colorScheme: 'dark', touch: true },
    ]);
    const page = await open('/settings');
    expect(page.body).toContain(': 2×, custom user agent</span>');
    expect(page.body).toContain(': dark, touch</span>');
    const again = await post('/settings', { ...fieldsIn(page), 'config.viewports.2.colorScheme': '' });
    expect(ledTo(again)).toBe(`303 ${path}/settings`);
    expect((await read()).config.viewports[2]).toMatchObject({ colorScheme: null, touch: true });
    const wrong = await post('/settings', { ...fieldsIn(page), 'config.viewports.1.deviceScaleFactor': '9' });
    expect(wrong.body).toContain('id="field-config-viewports-1-deviceScaleFactor-error"');
    expect(wrong.body).toContain('<details class="viewport-more" open>');
    const twice = await post('/settings', { ...fieldsIn(page), 'config.viewports.preset': 'mobile-dark' });
    expect(twice.body).toContain('Must have a unique name for each viewport');
  });

  it('refuse two viewports of one name, at the table', async () => {
    const row = (index: number) => ({
      [`config.viewports.${index}.name`]: 'same',
      [`config.viewports.${index}.width`]: '800',
      [`config.viewports.${index}.height`]: '600',
    });
    const { status, body } = await post('/settings', {
      name: 'Docs',
      baseUrl: 'http://site.test',
      ...row(0),
      ...row(1),
    });
    expect(status).toBe(400);
    expect(body).toContain('Must have a unique name for each viewport');
  });
});

describe('the danger zone', () => {
  it('switches the suite off and on', async () => {
    expect(ledTo(await post('/active', { active: 'no' }, people.admin))).toBe(`303 ${path}/settings`);
    expect((await read()).isActive).toBe(false);
    expect((await open('')).body).toContain('Inactive');
    await post('/active', { active: 'yes' }, people.admin);
    expect((await read()).isActive).toBe(true);
  });

  it('deletes only when the name is typed', async () => {
    const { status, body } = await post('/delete', { confirm: 'docs' });
    expect(status).toBe(400);
    expect(body).toContain('Must be Docs');
    expect((await open('')).status).toBe(200);
    expect(ledTo(await post('/delete', { confirm: 'Docs' }, people.admin))).toBe('303 /suites');
    expect((await open('')).status).toBe(404);
  });
});

describe('the sharing of a suite', () => {
  const grantOf = async ({ user }: Account): Promise<string> => {
    const { body } = await api.request('GET', `/api/test-suites/${suite.id}/access`, { token: people.owner.token });
    return body.grants.find((grant: { principal: { id: string } }) => grant.principal.id === user.id).id;
  };

  it('shows everybody with their roles to all, and forms to admins only', async () => {
    const asViewer = (await open('/sharing', people.viewer)).body;
    for (const person of Object.values(people).filter((each) => each !== people.stranger)) {
      expect(asViewer).toContain(person.user.email);
    }
    expect(asViewer).not.toContain(`action="${path}/sharing`);
    expect((await open('/sharing', people.admin)).body).toContain(`action="${path}/sharing"`);
  });

  it('is with an account by e-mail, in a role', async () => {
    expect(ledTo(await post('/sharing', { email: people.stranger.user.email, role: 'REVIEWER' }, people.admin))).toBe(
      `303 ${path}/sharing`,
    );
    expect((await open('', people.stranger)).body).toContain('Reviewer');
  });

  it('says at the field that it is no address, or that of the owner', async () => {
    const nobody = await post('/sharing', { email: 'nobody', role: 'EDITOR' });
    expect(nobody.status).toBe(400);
    expect(nobody.body).toContain('id="field-email-error"');
    expect(nobody.body).toContain('Must be an email address');
    expect(nobody.body).toContain('value="nobody"');
    expect(nobody.body).toContain('value="EDITOR" selected');
    const owner = await post('/sharing', { email: people.owner.user.email, role: 'VIEWER' });
    expect(owner.status).toBe(409);
    expect(owner.body).toContain('This account owns the suite');
    expect((await post('/sharing', { email: people.stranger.user.email, role: 'KING' })).status).toBe(400);
  });

  it('changes a role, and takes access away', async () => {
    const grant = await grantOf(people.viewer);
    expect((await post(`/sharing/${grant}`, { role: 'ADMIN' }, people.editor)).status).toBe(403);
    expect(ledTo(await post(`/sharing/${grant}`, { role: 'EDITOR' }))).toBe(`303 ${path}/sharing`);
    expect((await open('', people.viewer)).body).toContain('Editor');
    expect((await post(`/sharing/${grant}/revoke`, {}, people.editor)).status).toBe(403);
    expect(ledTo(await post(`/sharing/${grant}/revoke`, {}))).toBe(`303 ${path}/sharing`);
    expect((await open('', people.viewer)).status).toBe(404);
    expect((await post(`/sharing/${grant}/revoke`, {})).status).toBe(404);
  });

  it('gives no role back that somebody has lowered since the page was opened', async () => {
    const grant = await grantOf(people.editor);
    const page = String((await open('/sharing')).body);
    const form = page.slice(page.indexOf(`action="${path}/sharing/${grant}"`));
    const was = /name="was" value="([^"]*)"/.exec(form)?.[1] ?? '';
    expect(ledTo(await post(`/sharing/${grant}`, { role: 'VIEWER', was }, people.admin))).toBe(`303 ${path}/sharing`);
    const stale = await post(`/sharing/${grant}`, { role: 'EDITOR', was });
    expect([stale.status, stale.body]).toEqual([409, expect.stringContaining('now has another role')]);
    expect((await open('', people.editor)).body).toContain('Viewer');
  });

  it('leads an admin who takes the own access away to the list of suites', async () => {
    const grant = await grantOf(people.admin);
    expect(ledTo(await post(`/sharing/${grant}/revoke`, {}, people.admin))).toBe('303 /suites');
  });
});

describe('the repository of a suite, on a service without GitHub', () => {
  it('says how to connect, and has the page stand without the doctor', async () => {
    const { body } = await open('/repository', people.admin);
    expect(body).toContain('href="/setup"');
    expect(body).not.toContain('hx-trigger="load');
    expect((await open('/repository?look=doctor', people.viewer)).body).toContain(
      'Pixelgate is not connected to GitHub',
    );
    expect((await open('', people.viewer)).body).not.toContain('/repository"');
  });

  it('says what is wrong with a link by hand, and why it is refused', async () => {
    const wrong = await post('/repository', { owner: 'octo', repo: '', installationId: 'seven' });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toContain('id="field-repo-error"');
    expect(wrong.body).toContain('value="seven"');
    const refused = await post('/repository', { owner: 'octo', repo: 'site', installationId: '7', checkContext: '' });
    expect(refused.status).toBe(403);
    expect(refused.body).toContain('To link a repository, sign-in with GitHub must be set up');
    expect(refused.body).toContain('value="octo"');
  });
});

describe('the access to the site', () => {
  const SECRETS = /swordfish/;
  const kinds = async () => {
    const { body } = await api.request('GET', `/api${path.replace('suites', 'test-suites')}/site-access`, {
      token: people.owner.token,
    });
    return body.kinds;
  };
  const save = async (fields: Record<string, string>) => post('/access', fields);

  it('is entered by kind, shown by name, and never by value', async () => {
    const forms = [
      { form: 'vercel', 'vercel.secret': 'swordfish' },
      { form: 'headers', headers: 'X-Token: swordfish\r\nX-Other:swordfish' },
      { form: 'cookies', cookies: 'session=swordfish==' },
      { form: 'basic', 'basic.username': 'staff', 'basic.password': 'swordfish' },
      { form: 'storageState', storageState: '{"cookies":[{"name":"sid","value":"swordfish","domain":"site.test"}]}' },
      {
        form: 'login',
        'login.path': '/login',
        'login.selector0': '#password',
        'login.secret0': 'swordfish',
        'login.shows': '#hello',
      },
      { form: 'hosts', previewHosts: '*--acme.netlify.app' },
    ];
    for (const fields of forms) expect(ledTo(await save(fields))).toBe(`303 ${path}/access`);
    expect(await kinds()).toEqual([
      { kind: 'headers', names: ['X-Token', 'X-Other'] },
      { kind: 'cookies', names: ['session'] },
      { kind: 'basic', names: [] },
      { kind: 'vercel', names: [] },
      { kind: 'login', names: ['/login'] },
      { kind: 'storageState', names: ['sid'] },
    ]);
    const { body } = await open('/access');
    for (const text of ['X-Token, X-Other', '*--acme.netlify.app', 'set headers, cookies'])
      expect(body).toContain(text);
    expect(body).not.toMatch(SECRETS);
  });

  it.each([
    [{ form: 'headers', headers: 'swordfish' }, 'Line 1:'],
    [{ form: 'headers', headers: 'Host: swordfish' }, 'Line 1: is set by the browser'],
    [{ form: 'storageState', storageState: '{swordfish' }, 'Must be JSON'],
    [{ form: 'login', 'login.path': 'nowhere', 'login.secret0': 'swordfish' }, 'Must be a path on the site'],
    [{ form: 'try', tryAddress: 'https://elsewhere.test/' }, 'Must be a path on this site'],
  ])('%j is refused at its field, which comes back without what was typed', async (fields, message) => {
    await save({ form: 'vercel', 'vercel.secret': 'swordfish' });
    const { status, body } = await save(fields);
    expect([status, String(body).includes(message)]).toEqual([400, true]);
    expect(body).not.toMatch(SECRETS);
    expect(await kinds()).toEqual([{ kind: 'vercel', names: [] }]);
  });

  it('is removed by kind, to the last', async () => {
    await save({ form: 'vercel', 'vercel.secret': 'swordfish' });
    await save({ form: 'netlify', 'netlify.password': 'swordfish' });
    await save({ form: 'netlify', remove: 'yes' });
    expect(await kinds()).toEqual([{ kind: 'vercel', names: [] }]);
    await save({ form: 'vercel', remove: 'yes' });
    expect(await kinds()).toEqual([]);
  });

  it('is sent to a new URL only where it was entered for it', async () => {
    await save({ form: 'vercel', 'vercel.secret': 'swordfish' });
    await save({ form: 'cookies', cookies: 'a=swordfish' });
    await api.ctx.db('test_suites').update({ origin: 'http://moved.test', base_url: 'http://moved.test' });
    const sent = async () => {
      const [row] = await api.ctx.db('site_access').select('origin');
      return [row.origin, (await kinds()).map(({ kind }: { kind: string }) => kind).join(' ')];
    };
    const old = await sent();
    const origin = 'http://moved.test';
    await save({ form: 'hosts', previewHosts: 'preview.test', origin });
    expect(await sent()).toEqual(old);
    await save({ form: 'headers', headers: 'X-Token: swordfish', origin });
    expect(await sent()).toEqual([origin, 'headers']);
    await api.ctx.db('site_access').update({ origin: old[0] });
    await save({ form: 'vercel', 'vercel.secret': 'swordfish', origin });
    await save({ form: 'cookies', cookies: 'a=swordfish', origin });
    await api.ctx.db('site_access').update({ origin: old[0] });
    await save({ form: 'vercel', remove: 'yes', origin });
    expect(await sent()).toEqual([old[0], 'cookies']);
  });

  it('is sent only where the page said, also when somebody has changed the URL of the suite since', async () => {
    for (const fields of [
      { form: 'vercel', 'vercel.secret': 'swordfish' },
      { form: 'cookies', cookies: 'a=swordfish' },
    ])
      await save(fields);
    const originIn = ({ body }: { body: string }) => /name="origin" value="([^"]*)"/.exec(body)?.[1] ?? '';
    const origin = originIn(await open('/access'));
    const baseUrl = 'http://moved.test';
    const address = `/api${path.replace('suites', 'test-suites')}`;
    const moved = await api.request('PATCH', address, { token: people.owner.token, body: { baseUrl } });
    expect(moved.status).toBe(200);
    for (const fields of [
      { form: 'headers', headers: 'X-Token: swordfish' },
      { form: 'hosts', previewHosts: 'preview.test' },
      { form: 'vercel', remove: 'yes' },
    ]) {
      const { status, body } = await save({ ...fields, origin });
      expect([status, String(body).includes('The suite’s URL is now http://moved.test')]).toEqual([409, true]);
    }
    expect((await kinds()).map(({ kind }: { kind: string }) => kind)).toEqual(['cookies', 'vercel']);
    const again = await open('/access');
    expect([originIn(again), again.body.includes(`sent only to <strong>${baseUrl}</strong>`)]).toEqual([baseUrl, true]);
    expect(ledTo(await save({ form: 'vercel', 'vercel.secret': 'swordfish', origin: baseUrl }))).toBe(
      `303 ${path}/access`,
    );
  });

  it('is sent to no preview host that somebody has removed since the page was opened', async () => {
    await save({ form: 'vercel', 'vercel.secret': 'swordfish' });
    await save({ form: 'hosts', previewHosts: 'a.test\r\nb.test' });
    const shownHosts = /name="shownHosts" value="([^"]*)"/.exec(String((await open('/access')).body))?.[1] ?? '';
    await save({ form: 'hosts', previewHosts: 'a.test', shownHosts });
    const stale = await save({ form: 'hosts', previewHosts: 'a.test\r\nb.test\r\nc.test', shownHosts });
    expect([stale.status, stale.body]).toEqual([409, expect.stringContaining('The preview hosts are now a.test')]);
    expect((await api.ctx.db('site_access').first('preview_hosts')).previewHosts).toEqual(['a.test']);
  });

  it('is not sent to a preview host that somebody has added since the page was opened', async () => {
    await save({ form: 'vercel', 'vercel.secret': 'swordfish' });
    const page = String((await open('/access')).body);
    const form = page.slice(page.indexOf('name="form" value="headers"'));
    const shownHosts = /name="shownHosts" value="([^"]*)"/.exec(form.slice(0, form.indexOf('</form>')))?.[1];
    await save({ form: 'hosts', previewHosts: 'b.test' });
    const stale = await save({
      form: 'headers',
      headers: 'X-Token: swordfish',
      ...(shownHosts === undefined ? {} : { shownHosts }),
    });
    expect([stale.status, stale.body]).toEqual([409, expect.stringContaining('The preview hosts are now b.test')]);
    expect(stale.body).not.toMatch(SECRETS);
    expect(await kinds()).toEqual([{ kind: 'vercel', names: [] }]);
  });

  it('is tried at an address', async () => {
    await save({ form: 'vercel', 'vercel.secret': 'swordfish' });
    await save({ form: 'hosts', previewHosts: 'localhost' });
    const page = ledTo(await save({ form: 'try', tryAddress: 'http://localhost:9/a?b=1' }));
    expect(page).toMatch(new RegExp(`^303 ${path}/trials/`));
    const [trial] = await api.ctx.db('page_trials').select('id', 'origin', 'path');
    expect(trial).toMatchObject({ origin: 'http://localhost:9', path: '/a?b=1' });
    const visit = { status: 401, address: 'http://localhost:9/a', error: null, wall: 'localhost is behind a login.' };
    await api.ctx
      .db('page_trials')
      .update({ visit: JSON.stringify(visit), status: 'ERROR', error: 'The page returned 401' });
    const { body } = await open(`/trials/${trial.id}`);
    for (const text of ['401 Unauthorized', 'localhost is behind a login.', 'http://localhost:9/a']) {
      expect(body).toContain(text);
    }
  });
});
