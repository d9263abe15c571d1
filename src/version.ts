import { readFileSync } from 'node:fs';
import { z } from 'zod';

// Beside `src/` and beside `dist/`, which is what runs; the image has it for npm anyway.
const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** Of the product: for the API's document, and for the crawler's name in other people's access logs. */
export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(file)).version;
