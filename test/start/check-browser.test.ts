import { describe, expect, it } from '@jest/globals';
import { explainLaunchFailure } from '../../src/start/check-browser.ts';

describe('explainLaunchFailure', () => {
  it('says what a browser without its sandbox needs', () => {
    const message = 'browserType.launch: closed\nBrowser logs:\nChromium sandboxing failed!\n====\nTo avoid …';
    expect(explainLaunchFailure(message)).toMatch(/^Chromium cannot use its sandbox here\. Allow user namespaces/);
  });

  it("gives the browser's first words else", () => {
    const message =
      'browserType.launch: closed\nBrowser logs:\n\nlibnss3.so: cannot open shared object file\nCall log:';
    expect(explainLaunchFailure(message)).toBe(
      'The browser was found but did not start: libnss3.so: cannot open shared object file',
    );
  });
});
