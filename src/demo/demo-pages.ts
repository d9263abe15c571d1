import { FORBIDDEN_PATH } from './site-changes.ts';
import type { SiteVersion } from './site-changes.ts';
import { journeyPages } from './site-journeys.ts';
import { card, cards, columns, paragraphs, table } from './site-layout.ts';
import type { SitePage } from './site-layout.ts';
import type { Landscape } from './site-images.ts';
import { storyPages } from './site-stories.ts';

const scene = (name: string, moonX: number, train = false): Landscape => ({
  name,
  sky: ['#171534', '#6b4f86'],
  ridges: ['#55457d', '#3f3765', '#2b2850', '#201e40'],
  moon: [moonX, 140],
  train,
});

function home(): SitePage {
  const body = [
    '<h2>Three lines, one lantern</h2>',
    cards(
      card('The Coast Sleeper', 'Salt on the window, and breakfast where the harbour begins.', 'wave', '/routes/coast'),
      card('The Pass Express', 'Nine tunnels, one summit, and snow until June.', 'peak', '/routes/mountain'),
      card('The Lake Drift', 'The slowest train that we run, on purpose.', 'map', '/routes/lakes'),
    ),
    columns(
      `<h2>How a night goes</h2>${paragraphs(
        'You board at dusk with a paper ticket and a small bag. The steward lights the lantern by your door, which means that you are in and that nobody will knock.',
        'By the second whistle the <a href="/dining">dining car</a> has soup. By the third most of the train is asleep. At first light the lantern goes out, and so do you: onto a platform that smells of bread.',
      )}`,
      '<h3>Tonight</h3><p>All three lines are running. See the <a href="/timetable">timetable</a>, or read what a night costs under <a href="/prices">prices</a>.</p>',
    ),
  ].join('');
  return {
    path: '/',
    title: 'Sleep through the distance',
    lead: 'Three slow trains that leave at dusk and arrive with the bread.',
    hero: scene('home', 800, true),
    body,
  };
}

function dining(): SitePage {
  const body = [
    columns(
      `<h2>Soup first</h2>${paragraphs(
        'The kitchen is three paces long and has one rule: soup before talk. It changes at every stop where something grows.',
        'There are nineteen seats and no reservations. When the bell above the door rings twice, a seat is free.',
      )}`,
      '<h3>Opening</h3><p>From the first whistle until the lantern round, and again from first light.</p>',
    ),
    table(
      ['Dish', 'Line', 'Comes with'],
      [
        ['Leek and smoked trout soup', 'Coast', 'Barley bread'],
        ['Dumplings in brown butter', 'Pass', 'Pickled plums'],
        ['Mushrooms on toast', 'Lake', 'A poached egg'],
        ['Lantern pudding', 'All', 'Cold cream'],
      ],
      [2],
    ),
    cards(
      card('Before nine', 'Soup, and whatever the steward recommends.', 'cup'),
      card('After nine', 'Tea, toast and low voices.', 'clock'),
      card('At first light', 'Rolls from the town where we stop.', 'map'),
    ),
  ].join('');
  return {
    path: '/dining',
    title: 'The dining car',
    lead: 'Nineteen seats, one stove.',
    hero: scene('dining', 740),
    body,
  };
}

// Differs on every visit, like parts of many real sites. See HIDE_CLOCK.
const CLOCK = `<p class="small">Departures as of <span class="clock"></span></p>
  <script>document.querySelector('.clock').textContent = new Date().toISOString().slice(11, 23);</script>`;

function timetable(): SitePage {
  const body = [
    table(
      ['Line', 'Leaves', 'Summit or halfway', 'Arrives'],
      [
        ['Coast Sleeper', '20:40', '01:15', '06:55'],
        ['Pass Express', '21:10', '02:30', '07:20'],
        ['Lake Drift', '19:55', '00:50', '08:05'],
        ['Coast Sleeper, weekend', '22:05', '02:40', '08:10'],
      ],
      [2],
    ),
    CLOCK,
    cards(
      card('Boarding', 'Doors open forty minutes before the whistle.', 'clock'),
      card('Luggage', 'One bag that you can lift over your head.', 'bed'),
      card('Late trains', 'If we are an hour late, breakfast is ours.', 'cup'),
    ),
  ].join('');
  return {
    path: '/timetable',
    title: 'Timetable',
    lead: 'Dusk to first light, all year round.',
    hero: scene('timetable', 820),
    body,
  };
}

function prices(version: SiteVersion): SitePage {
  const band = version === 'before' ? '#4b3f72' : '#1f6f63';
  const body = [
    `<div class="tariff" style="--band: ${band}"><strong>A cabin from 64 crowns</strong>One night, one bed, one lantern; bread included.</div>`,
    table(
      ['Place', 'Coast', 'Pass', 'Lake'],
      [
        ['Seat by the window', '28', '31', '26'],
        ['Bed in a cabin for four', '49', '55', '46'],
        ['Cabin for one', '64', '72', '64'],
        ['Cabin for two', '98', '110', '96'],
      ],
    ),
    paragraphs(
      'Children under ten ride on a grown-up’s ticket. Bicycles cost six crowns and sleep in the van.',
      'A ticket may be given back until the second whistle. After that it is a souvenir.',
    ),
  ].join('');
  return { path: '/prices', title: 'Prices', lead: 'What a night costs, in crowns.', hero: scene('prices', 780), body };
}

function about(): SitePage {
  const body = [
    columns(
      `<h2>A railway that was left over</h2>${paragraphs(
        'When the day trains moved to the new valley line, the old one stayed behind with its stations, its nine tunnels and one locomotive with a good heart.',
        'Forty-one people keep it going. Most of them live within whistle of the track.',
      )}`,
      '<h3 id="letters">Letters</h3><p>The Lamp Room, Platform 1, Marrowdale. We answer by hand, so give us a week.</p>',
    ),
    cards(
      card('41 people', 'Drivers, stewards, cooks and one piano tuner.', 'cup'),
      card('3 lines', 'All of them single track, all of them ours.', 'map'),
      card('0 hurry', 'It is in the statutes, article two.', 'clock'),
    ),
  ].join('');
  return { path: '/about', title: 'About us', lead: 'Who lights the lanterns.', hero: scene('about', 760), body };
}

/** All pages of one version, in the order of the sitemap. */
export function buildPages(version: SiteVersion): SitePage[] {
  return [home(), ...journeyPages(version), dining(), timetable(), prices(version), ...storyPages(version), about()];
}

export function staffPage(): SitePage {
  return {
    path: FORBIDDEN_PATH,
    title: 'For staff',
    lead: 'The lamp rota is on the door.',
    hero: scene('staff', 800),
    body: paragraphs('robots.txt asks crawlers to leave this page alone.'),
  };
}

export function missingPage(): SitePage {
  return {
    path: '/missing',
    title: 'No such platform',
    lead: 'The page is not here.',
    hero: scene('missing', 800),
    body: '<p><a href="/">Back to the station</a></p>',
  };
}
