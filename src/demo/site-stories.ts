import type { SiteVersion } from './site-changes.ts';
import { card, cards, columns, figure, paragraphs } from './site-layout.ts';
import type { SitePage } from './site-layout.ts';
import type { Landscape } from './site-images.ts';

const ink: Landscape = {
  name: 'ink',
  sky: ['#0f1424', '#3c5170'],
  ridges: ['#33465f', '#28374e', '#1d293d', '#141d2e'],
  moon: [770, 140],
  train: false,
};

function journal(version: SiteVersion): SitePage {
  const headline = version === 'before' ? 'The piano in carriage four' : 'The piano has been tuned';
  const body = [
    `<h2>${headline}</h2>`,
    paragraphs(
      'Nobody remembers who loaded it, and it does not fit through any door. On the Pass it is played by the tilt of the train alone.',
    ),
    cards(
      card('First snow', 'What the driver saw at the summit halt.', 'peak', '/journal/first-snow'),
      card('Bread at six', 'Seven bakers, seven platforms.', 'cup'),
      card('Lamp oil', 'A short history of being able to see.', 'clock'),
    ),
  ].join('');
  return {
    path: '/journal',
    title: 'Journal',
    lead: 'Notes from the corridor.',
    hero: { ...ink, name: 'journal' },
    body,
  };
}

function firstSnow(): SitePage {
  const body = [
    columns(
      `<h2>At the summit halt</h2>${paragraphs(
        'It began as a kind of quiet. Then the headlamp filled with slow white sparks, and Ansa let the train roll to a stop where there is no platform.',
        'People came out in coats over nightshirts. Someone lit a pipe. For four minutes, which became eleven, nobody said anything that needed an answer.',
        'We were on time in the end. Snow is quick to forgive.',
      )}`,
      '<h3>Written by</h3><p>Ansa Holm, who has driven the Pass for nineteen winters.</p>',
    ),
    figure({ ...ink, name: 'snow', ridges: ['#dfe5ee', '#b9c4d6', '#8795b0', '#4a5775'] }, 'Eleven minutes past two.'),
  ].join('');
  return { path: '/journal/first-snow', title: 'First snow', lead: 'A stop that is on no timetable.', hero: ink, body };
}

function nightSwim(): SitePage {
  const body = [
    columns(
      `<h2>Forty minutes at Heron Bridge</h2>${paragraphs(
        'The signal was red, the lake was warm, and the steward had counted the towels. That is how it started.',
        'When the whistle blew, everybody was back on board but one shoe.',
      )}`,
      '<h3>Please note</h3><p>This is not a scheduled stop.</p>',
    ),
    figure({ ...ink, name: 'swim', train: true }, 'The Lake Drift, waiting.'),
  ].join('');
  return {
    path: '/journal/night-swim',
    title: 'A night swim',
    lead: 'One red signal, one warm lake.',
    hero: { ...ink, name: 'night' },
    body,
  };
}

export function storyPages(version: SiteVersion): SitePage[] {
  return [journal(version), firstSnow(), ...(version === 'after' ? [nightSwim()] : [])];
}
