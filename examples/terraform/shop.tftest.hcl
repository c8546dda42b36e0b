# Runs on a platform of its own in this folder: no account, no server. `terraform test` destroys what it has made.
provider "gantry" {
  embedded = ".gantry"
  org      = "local"
}

variables {
  database_password = "for-tests-only"
}

run "the_plan_keeps_the_password_out" {
  command = plan

  assert {
    condition     = gantry_secret.database.data == null
    error_message = "The password is in the plan."
  }
}

run "the_shop_is_applied" {
  assert {
    condition     = gantry_workload.web.link == "/org/local/gvc/shop/workload/web"
    error_message = "The site has another address."
  }

  assert {
    condition     = gantry_workload.api.spec.containers[0].inherit_env == false
    error_message = "What the platform fills in is known after the apply."
  }
}

run "a_release_changes_the_images_in_place" {
  variables {
    release = "1.5.0"
  }

  assert {
    condition     = endswith(gantry_workload.api.spec.containers[0].image, "/api:1.5.0")
    error_message = "The API has another image."
  }

  assert {
    condition     = output.address == run.the_shop_is_applied.address
    error_message = "The site has another address."
  }
}
