import { register } from 'node:module';

// From here on, this process imports TypeScript. A process does this once, whoever imports this file.
register('./load-typescript.js', import.meta.url);
