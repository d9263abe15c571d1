import { readFileSync } from 'node:fs';
import { z } from 'zod';

// Next to `src/`, and to `dist/`, which is what runs in production. The image contains it anyway, for npm.
const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');

/** The version of the product, for the API document, and for the crawler's name in other people's access logs. */
export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(file)).version;
