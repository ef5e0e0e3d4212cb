/** A page in the place of the client, with its three forms one after the other. For the page's tests. */
export const clientPage = `<!doctype html>
<html lang="en"><title>Client</title><meta name="viewport" content="width=device-width">
<style>body { font: 16px sans-serif; padding: 1rem; } label { display: block; margin: 2rem 0; }</style>
<main><h1>Sign in</h1>
<form id="sign-in"><label>Phone <input name="phone"></label><button>Send code</button></form></main>
<script>
  const next = {
    'sign-in': '<h1>Code</h1><form id="code"><label>Code <input name="code"></label><button>Confirm</button></form>',
    code: '<h1>Who are you?</h1><form id="who"><label>Name <input name="name"></label>' +
      '<label>Surname <input name="surname"></label><label>Born <input type="date" name="date"></label>' +
      '<label>Gender <select name="gender"><option></option><option value="0">m</option><option value="1">f</option></select></label>' +
      '<label>Phone <input name="phone"></label><button>Connect</button></form>',
  };
  document.addEventListener('submit', (event) => {
    event.preventDefault();
    document.querySelector('main').innerHTML = next[event.target.id] ?? '';
  });
</script></html>`;
