// Jest requires this file, and TypeScript can only be imported.
export default async () => (await import('./shared-server.ts')).start();
