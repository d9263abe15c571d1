import { DEFAULT_PREFERENCES, type PageColors } from '../auth/preferences.ts';
import { displayName, type Viewer } from '../auth/user.ts';
import { readTheme, THEMES, type Theme } from '../http/cookies.ts';
import type { Incoming } from '../http/endpoint.ts';
import { takeFlashNotice } from './flash-notice.ts';
import type { IconName } from './icons.ts';
import type { Render } from './render.ts';
import { TIME_FORMATS, validTimeZone } from './show-time.ts';
import type { StaticFiles } from './static-files.ts';
import type { Reply, Section } from './web-route.ts';

const LABELS: Record<Theme, string> = { auto: 'System', light: 'Light', dark: 'Dark' };

/** The buttons of the menu and of the account page. */
export function themeChoices(chosen: Theme): { value: Theme; label: string; current: boolean }[] {
  return THEMES.map((value) => ({ value, label: LABELS[value], current: value === chosen }));
}

/** Primer's names of the themes that are used in light and in dark. */
function chooseColors(colors: PageColors): { light: string; dark: string } {
  const suffix = colors === 'default' ? '' : `_${colors}`;
  return { light: `light${suffix}`, dark: `dark${suffix}` };
}

/**
 * What is needed for rendering in addition to the context. `assets`: where the static files are, which `modules` lists.
 */
export type Printer = { render: Render; assets: string } & Pick<StaticFiles, 'modules'>;

const NAVIGATION: { section: Section; label: string; href: string; icon: IconName }[] = [
  { section: 'dashboard', label: 'Dashboard', href: '/', icon: 'home' },
  { section: 'suites', label: 'Suites', href: '/suites', icon: 'stack' },
  { section: 'single-pages', label: 'Single pages', href: '/single-pages', icon: 'file' },
  { section: 'runs', label: 'Runs', href: '/runs', icon: 'play' },
];

const MENU: { section: Section | null; label: string; href: string; icon: IconName }[] = [
  { section: 'account', label: 'Account', href: '/account', icon: 'person' },
  { section: 'setup', label: 'GitHub setup', href: '/setup', icon: 'mark-github' },
  { section: null, label: 'API', href: '/api/docs', icon: 'code' },
];

type PageReply = Extract<Reply, { kind: 'page' }>;

function viewerModel(viewer: Viewer | null) {
  if (viewer === null) return null;
  const name = displayName(viewer);
  const [initial = ''] = name;
  return { name, email: viewer.email, initial: initial.toUpperCase() };
}

/** The person that a page is rendered for. */
type Reader = Pick<Incoming, 'viewer' | 'cookies'>;

function sharedModel({ assets, modules }: Printer, { viewer, cookies }: Reader) {
  const { singleKeys } = viewer?.preferences ?? DEFAULT_PREFERENCES;
  return {
    zone: validTimeZone(cookies.read('zone')),
    assets,
    modules,
    viewer: viewerModel(viewer),
    keysOff: singleKeys === 'off',
  };
}

/**
 * Renders the whole page: the layout with the view inside.
 * @param here the page to return to after a form of the layout
 */
export function printPage(printer: Printer, reader: Reader, here: string, reply: PageReply): string {
  const { render } = printer;
  const theme = readTheme(reader.cookies.read('theme'));
  const shared = sharedModel(printer, reader);
  return render('layouts/main', {
    ...shared,
    content: render(reply.view, { ...reply.model, ...shared }),
    title: reply.title,
    theme,
    colors: chooseColors((reader.viewer?.preferences ?? DEFAULT_PREFERENCES).pageColors),
    themes: themeChoices(theme),
    width: reply.width ?? 'wide',
    navigation: NAVIGATION.map((item) => ({ ...item, current: item.section === reply.section })),
    menu: MENU.map((item) => ({ ...item, current: item.section !== null && item.section === reply.section })),
    notice: takeFlashNotice(reader.cookies),
    timeFormats: JSON.stringify(TIME_FORMATS),
    here,
  });
}

export function printFragment(
  printer: Printer,
  reader: Reader,
  reply: Pick<Extract<Reply, { kind: 'fragment' }>, 'view' | 'model'>,
): string {
  return printer.render(reply.view, { ...reply.model, ...sharedModel(printer, reader) });
}
