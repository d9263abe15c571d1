/** Forms that ask the browser for a passkey and send its answer. They are shown only where the browser can. */

import { find, findAll } from './elements.js';

/** @param {HTMLFormElement} form */
const readOptions = ({ dataset }) => JSON.parse(dataset.options ?? '{}');

/** @param {HTMLFormElement} form */
async function ask(form) {
  const options = readOptions(form);
  return form.dataset.passkey === 'create'
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const message = find(form, '[role="alert"]', HTMLElement);
  if (message !== null) message.hidden = true;
  try {
    const credential = await ask(form);
    const answer = find(form, 'input[name="answer"]', HTMLInputElement);
    if (answer !== null) answer.value = JSON.stringify(credential);
    form.submit();
  } catch (error) {
    if (message === null) return;
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    message.textContent = isKnown
      ? 'This device already has a passkey for your account.'
      : 'No passkey was used. Try again, or sign in in another way.';
    message.hidden = false;
  }
}

/** Browsers use passkeys only at the domain that Pixelgate is set up with. @param {HTMLFormElement} form */
function isAtDomain(form) {
  const { rp, rpId } = readOptions(form);
  return (rpId ?? rp.id) === location.hostname;
}

const isAble = 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
for (const form of isAble ? findAll(document, 'form[data-passkey]', HTMLFormElement) : []) {
  if (!isAtDomain(form)) continue;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}
