/* The services. */
resource "acme_app" "web" {
  for_each = toset(["blue", "green"])

  name  = "web-${each.key}"
  space = acme_space.shop.name
  type  = "standard"

  // One container.
  container {
    name   = "main"
    image  = "registry.example.com/web:${var.release}"
    cpu    = "100m"
    memory = "128Mi"

    listeners = [
      # TLS ends before it.
      { number = 8080, protocol = "http" },
    ]

    variable {
      name  = "SPACE"
      value = acme_space.shop.name
    }
    dynamic "variable" {
      for_each = local.limits
      content {
        name  = "APP_${variable.key}"
        value = variable.value
      }
    }
  }

  options {
    timeout_seconds = 30
    capacity_ai     = false
    autoscaling {
      metric    = "cpu"
      target    = 80
      max_scale = 3
      min_scale = 1
    }
  }

  firewall {
    external {
      inbound_allow_cidr = ["0.0.0.0/0"]
    }
  }

  lifecycle {
    ignore_changes = [container[0].image, labels["scanner"]]
  }

  depends_on = [acme_policy.database]
}

resource "acme_app" "db" {
  name     = "store"
  space    = acme_space.shop.name
  type     = "stateful"
  identity = "//identity/${acme_identity.backend.name}"
  container {
    name  = "db"
    image = "registry.example.com/db:1"
    args = ["-c", <<-EOT
      shared_buffers = 64MB
    EOT
    ]
    port {
      number   = 5432
      protocol = "tcp"
    }
    volume {
      uri  = "scheme://volumeset/${acme_volume_set.data.name}"
      path = "/data"
    }
  }
  options {
    timeout_seconds = 20
    capacity_ai     = false
  }
}

output "web" {
  value = { for key, app in acme_app.web : key => app.name }
}

output "image" {
  value = acme_app.db.container[0].image
}
