import type { Request, Response } from 'express';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { readTheme, readZone, takeFlashNotice } from '../http/viewer-cookies.ts';
import type { Reply, Section } from './reply.ts';
import { pageAddressOf } from './read-request.ts';
import type { Render } from './render.ts';
import type { Theme } from './route.ts';
import { THEMES } from './route.ts';
import { zoneOf } from './show-time.ts';
import { themeChoices } from './theme-choices.ts';

/** What printing needs beside the context. */
export type Printer = { render: Render; staticVersion: string };

const NAVIGATION: { section: Section; label: string; href: string; icon: string }[] = [
  { section: 'dashboard', label: 'Dashboard', href: '/', icon: 'home' },
  { section: 'suites', label: 'Suites', href: '/suites', icon: 'stack' },
  { section: 'buckets', label: 'Single pages', href: '/buckets', icon: 'file' },
  { section: 'runs', label: 'Runs', href: '/runs', icon: 'play' },
];

export function themeOf(req: Request): Theme {
  const chosen = readTheme(req);
  return THEMES.find((theme) => theme === chosen) ?? 'auto';
}

const MENU: { section: Section | null; label: string; href: string; icon: string }[] = [
  { section: 'account', label: 'Account', href: '/account', icon: 'person' },
  { section: 'setup', label: 'GitHub set-up', href: '/setup', icon: 'mark-github' },
  { section: null, label: 'API', href: '/api/docs', icon: 'code' },
];

type PageReply = Extract<Reply, { kind: 'page' }>;

function viewerModel(viewer: Viewer | null) {
  if (viewer === null) return null;
  const name = viewer.name ?? viewer.email;
  const [initial = ''] = name;
  return { name, email: viewer.email, initial: initial.toUpperCase() };
}

/** The whole page: the layout around the view. */
export function printPage(
  { config }: Pick<Context, 'config'>,
  { render, staticVersion }: Printer,
  { req, res }: { req: Request; res: Response },
  viewer: Viewer | null,
  reply: PageReply,
): string {
  const zone = zoneOf(readZone(req));
  const theme = themeOf(req);
  const shared = { zone, assets: `/static/${staticVersion}`, viewer: viewerModel(viewer) };
  return render('layouts/main', {
    ...shared,
    content: render(reply.view, { ...reply.model, ...shared }),
    title: reply.title,
    theme,
    themes: themeChoices(theme),
    width: reply.width ?? 'wide',
    navigation: NAVIGATION.map((item) => ({ ...item, current: item.section === reply.section })),
    menu: MENU.map((item) => ({ ...item, current: item.section !== null && item.section === reply.section })),
    notice: takeFlashNotice(req, res, config),
    here: pageAddressOf(req),
  });
}

export function printFragment(
  { render, staticVersion }: Printer,
  req: Request,
  viewer: Viewer | null,
  reply: Extract<Reply, { kind: 'fragment' }>,
): string {
  const shared = { zone: zoneOf(readZone(req)), assets: `/static/${staticVersion}`, viewer: viewerModel(viewer) };
  return render(reply.view, { ...reply.model, ...shared });
}
