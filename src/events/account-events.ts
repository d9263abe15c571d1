/** What happens to accounts and to who owns a suite. `account`, `from`, `to`: what the account is called, and its id. */
type Named = { id: string; name: string };

export type AccountEvents = {
  'account.disabled': { account: Named };
  'account.enabled': { account: Named };
  /** All sessions and own tokens of another account ended. */
  'account.signed_out': { account: Named };
  /** An administrator had a link sent. */
  'account.reset_sent': { account: Named };
  /** `by`: a person, or a group of the identity provider. */
  'account.administrator_named': { account: Named; by: 'NAMED' | 'GROUP' };
  'account.administrator_removed': { account: Named; by: 'NAMED' | 'GROUP' };
  'suite.handed_over': { from: Named; to: Named };
  'suite.left': { role: string };
};
