import { describe, expect, it } from '@jest/globals';
import { explainLaunchFailure } from '../../src/start/check-browser.ts';

describe('explainLaunchFailure', () => {
  it('says what a browser without its sandbox needs', () => {
    const message = 'browserType.launch: closed\nBrowser logs:\nChromium sandboxing failed!\n====\nTo avoid …';
    const explain = (kernel: Record<string, string>) => explainLaunchFailure(message, (file) => kernel[file] ?? null);
    expect(explain({})).toMatch(/^Chromium cannot use its sandbox: this user may not make user namespaces \(docs/);
    expect(explain({ '/proc/self/status': 'Name:\tnode\nSeccomp:\t2\n' })).toContain(
      'the seccomp profile of this container refuses clone, clone3, setns or unshare with new user namespaces',
    );
    for (const [setting, value] of [
      ['user/max_user_namespaces', '0'],
      ['kernel/unprivileged_userns_clone', '0'],
      ['kernel/apparmor_restrict_unprivileged_userns', '1'],
    ] as const) {
      const file = `/proc/sys/${setting}`;
      expect(explain({ [file]: `${value}\n` })).toContain(`the host has ${setting.replace('/', '.')}=${value}: set it`);
    }
    const allowed = { '/proc/sys/user/max_user_namespaces': '15000', '/proc/self/status': 'Seccomp:\t0' };
    expect(explain(allowed)).toContain('this user may not make user namespaces');
  });

  it("gives the browser's first words else", () => {
    const message =
      'browserType.launch: closed\nBrowser logs:\n\nlibnss3.so: cannot open shared object file\nCall log:';
    expect(explainLaunchFailure(message)).toBe(
      'The browser was found but did not start: libnss3.so: cannot open shared object file',
    );
  });
});
