import { z } from 'zod';

/** What a person gives a suite, as the API and the pages take it. The address is looked at by `parseHttpUrl` in turn. */
export const SuiteName = z.string().trim().min(1, 'must not be empty').max(200, 'must be 200 characters at most');
export const SuiteAddress = z.string().trim().max(2048, 'must be 2,048 characters at most');
export const SuiteDescription = z.string().trim().max(5000, 'must be 5,000 characters at most');
