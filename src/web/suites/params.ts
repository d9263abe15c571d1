import { z } from 'zod';
import { Id } from '../form-values.ts';

export const SuiteParams = z.object({ id: Id });
