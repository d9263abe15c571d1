/** It takes 25 MB, so a process in which nobody uses a passkey does not load it. */
export const loadWebAuthn = async () => import('@simplewebauthn/server');
