import { expect, it } from '@jest/globals';
import { requestOf } from '../capture/requests.ts';
import { captureRequest } from './capture-request.js';

it('has every field of a capture request, though no type says so', () => {
  expect(Object.keys(captureRequest('', {})).toSorted()).toEqual(Object.keys(requestOf('')).toSorted());
});
