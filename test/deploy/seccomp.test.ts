import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { readText } from './read-deploy.ts';

/** As runtimes read it. Docker alone knows further keys, which others pass over: a rule for some cases would hold in all. */
const Profile = z.strictObject({
  defaultAction: z.literal('SCMP_ACT_ERRNO'),
  defaultErrnoRet: z.literal(38),
  architectures: z.array(z.enum(['SCMP_ARCH_X86_64', 'SCMP_ARCH_AARCH64'])),
  syscalls: z.array(
    z.strictObject({
      names: z.array(z.string().regex(/^[a-z0-9_]+$/)).min(1),
      action: z.literal('SCMP_ACT_ALLOW'),
      args: z
        .array(z.strictObject({ index: z.int(), value: z.int(), op: z.literal('SCMP_CMP_EQ') }))
        .length(1)
        .optional(),
    }),
  ),
});

const { syscalls } = Profile.parse(JSON.parse(readText('deploy/chromium-seccomp.json')));
const allowed = new Set(syscalls.filter(({ args }) => args === undefined).flatMap(({ names }) => names));

it('lets the sandbox make its namespaces', () => {
  for (const name of ['clone', 'clone3', 'unshare', 'chroot', 'seccomp', 'pkey_mprotect'])
    expect(allowed).toContain(name);
});

it('lets nobody do what a user namespace would otherwise permit', () => {
  const refused = [
    'mount',
    'umount2',
    'pivot_root',
    'setns',
    'bpf',
    'ptrace',
    'keyctl',
    'io_uring_setup',
    'userfaultfd',
  ];
  for (const name of [...refused, 'init_module', 'kexec_load', 'perf_event_open', 'process_vm_writev', 'reboot']) {
    expect(allowed).not.toContain(name);
  }
});

it('opens sockets of the machine, of the network, and to ask for its interfaces, and no raw packets', () => {
  const families = syscalls.filter(({ names }) => names.includes('socket')).map(({ args }) => args?.[0]?.value);
  expect(families).toEqual([1, 2, 10, 16]);
});
