/** The embedded database can't be had; the message is a sentence for the person who started the service. */
export class EmbeddedPostgresError extends Error {}

/** What helps whenever the embedded database can't be had. */
export const WAY_OUT = 'Or set DATABASE_URL to the address of a PostgreSQL server of your own.';
