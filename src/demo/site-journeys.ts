import type { SiteVersion } from './site-changes.ts';
import { card, cards, columns, figure, paragraphs, table } from './site-layout.ts';
import type { SitePage } from './site-layout.ts';
import type { Landscape } from './site-images.ts';

const coast: Landscape = {
  name: 'coast',
  sky: ['#10233f', '#3f7c8a'],
  ridges: ['#2f6270', '#235061', '#183d4f', '#112d3e'],
  moon: [790, 150],
  train: true,
};
const mountain: Landscape = {
  name: 'mountain',
  sky: ['#141a38', '#8a93b8'],
  ridges: ['#c3c9de', '#8b94b5', '#565f88', '#2c3259'],
  moon: [760, 130],
  train: false,
};
const lakes: Landscape = {
  name: 'lakes',
  sky: ['#231637', '#c2727a'],
  ridges: ['#8a4c6b', '#6a3d60', '#472c51', '#2b1d3d'],
  moon: [810, 140],
  train: false,
};

function routes(): SitePage {
  const body = [
    cards(
      card('The Coast Sleeper', '412 kilometres of cliffs, marsh and lighthouses.', 'wave', '/routes/coast'),
      card('The Pass Express', 'Up to 1,940 metres, and down again before breakfast.', 'peak', '/routes/mountain'),
      card('The Lake Drift', 'Five lakes, eleven bridges, no hurry.', 'map', '/routes/lakes'),
    ),
    table(
      ['Line', 'Kilometres', 'Stops', 'Tunnels'],
      [
        ['Coast', '412', '9', '2'],
        ['Pass', '287', '5', '9'],
        ['Lake', '196', '11', '0'],
      ],
    ),
  ].join('');
  return {
    path: '/routes',
    title: 'Where we go',
    lead: 'Every line starts at Marrowdale and ends by water.',
    hero: { ...coast, name: 'routes', train: false },
    body,
  };
}

function coastLine(): SitePage {
  const body = [
    columns(
      `<h2>Sit on the left</h2>${paragraphs(
        'The track keeps the sea on the left from Gannet Halt to the very end. On clear nights you count seven lighthouses; in fog you count the horns.',
        'At Tern Point the train waits for the tide, because the causeway is only there for half of the night.',
      )}`,
      '<h3>Good to know</h3><p>The window in cabin 6 opens. Ask for it.</p>',
    ),
    figure({ ...coast, name: 'causeway', moon: [740, 160] }, 'The causeway at Tern Point, an hour after high water.'),
  ].join('');
  return { path: '/routes/coast', title: 'The Coast Sleeper', lead: 'Salt on the window.', hero: coast, body };
}

// The figures appear only when they are scrolled into view, like on many real sites. A capture that does not scroll
// misses them.
const REVEAL = `<script>
  const watch = new IntersectionObserver((seen) => {
    for (const entry of seen) if (entry.isIntersecting) entry.target.classList.add('shown');
  });
  for (const element of document.querySelectorAll('figure')) { element.classList.add('reveal'); watch.observe(element); }
</script>`;

function mountainLine(): SitePage {
  const stages: [string, string][] = [
    ['valley', 'The valley, before the snow line.'],
    ['gallery', 'The avalanche galleries, where the lights flicker between pillars.'],
    ['summit', 'The summit halt, 1,940 metres. You may step out for four minutes.'],
    ['descent', 'The descent: nine tunnels, one of them curved like a spoon.'],
  ];
  const body = [
    `<h2>Four pictures of one night</h2>`,
    ...stages.map(([name, caption], i) => figure({ ...mountain, name, moon: [400 + i * 140, 140] }, caption)),
    REVEAL,
  ].join('');
  return { path: '/routes/mountain', title: 'The Pass Express', lead: 'Snow until June.', hero: mountain, body };
}

function lakeLine(): SitePage {
  const body = [
    columns(
      `<h2>Slow by decree</h2>${paragraphs(
        'The Lake Drift may not pass thirty kilometres an hour, so that the herons stay asleep. It never has.',
        'Take the last carriage. Its rear platform has two chairs and a blanket.',
      )}`,
      '<h3>Eleven bridges</h3><p>The longest is wooden, and it sings in the wind.</p>',
    ),
    figure({ ...lakes, name: 'bridge', moon: [520, 150] }, 'Heron Bridge from the rear platform.'),
  ].join('');
  return { path: '/routes/lakes', title: 'The Lake Drift', lead: 'Five lakes, no hurry.', hero: lakes, body };
}

function cabins(version: SiteVersion): SitePage {
  const more =
    version === 'before'
      ? ''
      : columns(
          `<h2>New: the observatory cabin</h2>${paragraphs(
            'One cabin on every train now has a glass roof. The bed is a little narrower, and nobody has minded yet.',
          )}`,
          '<h3>Cabin 12</h3><p>Clear nights cannot be promised.</p>',
        );
  const body = [
    cards(
      card('For one', 'A bed, a shelf, a hook and a window.', 'bed'),
      card('For two', 'Two beds, one above the other. Toss a coin.', 'bed'),
      card('For four', 'A small dormitory, with curtains.', 'bed'),
    ),
    more,
    columns(
      `<h2>The lantern</h2>${paragraphs(
        'Lit means that you are asleep, or would like to be. Dark means that the steward may offer tea.',
      )}`,
      '<h3>Linen</h3><p>Washed in Marrowdale, dried by the track.</p>',
    ),
  ].join('');
  return { path: '/cabins', title: 'Cabins', lead: 'Small rooms that move.', hero: { ...lakes, name: 'cabins' }, body };
}

export function journeyPages(version: SiteVersion): SitePage[] {
  return [routes(), coastLine(), mountainLine(), lakeLine(), cabins(version)];
}
