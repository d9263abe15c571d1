/** GitHub marks an environment with exactly this name. Hosts use others: `Production – shop`, `prod-eu`. */
export function isProduction(deployment: {
  environment: string;
  production_environment?: boolean | undefined;
}): boolean {
  const name = deployment.environment.trim();
  return (
    deployment.production_environment === true || name === 'github-pages' || /^prod(uction)?($|[^a-z])/i.test(name)
  );
}
