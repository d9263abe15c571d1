/** The package exports a function, as CommonJS does; its own types declare a module with a default export. */
declare module 'robots-parser' {
  type Robots = {
    isAllowed(url: string, userAgent: string): boolean | undefined;
    getCrawlDelay(userAgent: string): number | undefined;
    getSitemaps(): string[];
  };
  function robotsParser(url: string, text: string): Robots;
  export = robotsParser;
}
