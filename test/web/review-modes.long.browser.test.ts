import { expect, it } from '@jest/globals';
import { axeViolationsInBothSchemes } from '../support/visitor.ts';
import { openScene } from './review/scene.ts';

const scene = openScene();

it.each(['side', 'swipe', 'onion', 'overlay', 'blink', 'single'])(
  'the review of a result has no violation that axe finds in the mode %s, in light and dark',
  async (mode) => {
    const { page, complaints, leave } = await scene.open('/tall', { query: `?mode=${mode}` });
    expect(await axeViolationsInBothSchemes(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await leave();
  },
);
