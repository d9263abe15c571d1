import { reviewElsewhere } from './review/elsewhere.ts';
import { reviewByKeys } from './review/keys.ts';
import { reviewLooks } from './review/looks.ts';
import { reviewMoves } from './review/moves.ts';
import { openScene } from './review/scene.ts';

// One scene for all themes: opening it takes longer than most of the tests.
const scene = openScene();
reviewLooks(scene);
reviewByKeys(scene);
reviewMoves(scene);
reviewElsewhere(scene);
