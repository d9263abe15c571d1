import { unavailable, type AppError } from '../../errors.ts';

/** The embedded database is not usable. The message is a sentence or two for the person who starts the service. */
export function unusable(message: string): AppError {
  const wayOut = 'You can also set DATABASE_URL to use your own PostgreSQL server.';
  return unavailable(`${message} ${wayOut}`, 'embedded_database_unavailable');
}
